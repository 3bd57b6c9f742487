"""Reading words without a model: a floor under the minds, and under whatever else reads what a person wrote.

From the ground up: `lexicon` and `terms` (words, and what they weigh), `noun_phrases`, `spans` (what is an
argument and not a word: quotations, known folders, paths, addresses), `clauses` with their conditions and
negations; code that was pasted is in `code_reading`. `values` are numbers, units and moments; `references`
tell which card, step or ability a few words point at; `speech_acts` what a message does; `arguments` what
it gives for the parameters of an ability.

Nothing here keeps a state, asks a mind or looks at the disk. It knows `base` and `domain`, none above them.
"""
