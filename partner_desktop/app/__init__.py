"""The composition root, free of Qt: the one place that knows every part, and the app's public face.

`composition` puts the parts together, each group from its own file, and says in which order they live;
`partner` is what the window, the commands and the gateways see of them.
"""

from partner_desktop.app.partner import WINDOW_PACE_S, Partner

__all__ = ["WINDOW_PACE_S", "Partner"]
