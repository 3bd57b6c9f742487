"""The window: Qt Widgets around `partner_desktop.app`. Nothing below this floor knows Qt."""
