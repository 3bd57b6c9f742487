"""Plans that are computed: of what abilities need and bring, the cheapest way to a goal."""
