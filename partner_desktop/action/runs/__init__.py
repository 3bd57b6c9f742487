"""Plans that run: stage by stage, step by step, with what one step brings to the next."""
