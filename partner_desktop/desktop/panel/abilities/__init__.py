"""The tab of abilities: its list, its pages, and what the person does to them."""
