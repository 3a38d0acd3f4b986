"""Two ways of being answered, compared on the requests of the replay set: `python -m tests.replay compare`.

A side is a provider with its model, an edit mode and prompts (`sides`). Each request is made of both in a workspace of
its own, with the product's own parts in this process and a store that is thrown away (`asking`), and judged by the
checks that are part of it (`verdicts`). What is done is written down at once (`journal`), so that a comparison can go
on where it was stopped (`comparison`), and the pairs are counted and tested (`pairs`, `report`). Not here: the requests
(`tests.replay.cases`).
"""
