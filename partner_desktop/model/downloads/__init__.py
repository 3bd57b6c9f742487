"""Models that are fetched from a hub: the shipped list, what a repository holds, and one download at a time.

`hub_reference` reads what a person pastes, `hub_files` the names of files, `model_catalog` the shipped list.
`download_queue` keeps the downloads and decides which one loads; each is loaded by a process of its own
(`fetch_process` starts it, `fetcher` is it, `fetch_messages` is what they say), so that neither the network
nor the reckoning of hashes touches the window.
"""
