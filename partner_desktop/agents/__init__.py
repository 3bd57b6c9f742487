"""Agents: classes whose typed methods are the steps that a plan is computed of.

`declarations` marks a class and its methods, `definition` derives from their types what the planner needs,
`agent_registry` holds the agents there are. `agent_process` runs one: it looks at the world, plans, runs the
first step, and plans again. `agent_processes` makes them, keeps them and brings them back after a restart.
"""
