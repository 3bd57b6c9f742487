"""Configuration: where the home is. (The ConfigCenter joins it here.)"""
