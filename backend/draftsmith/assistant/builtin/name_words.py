"""Words that are hardly a part of a new name, or that say something else about what is to be made."""

from __future__ import annotations

from typing import Final

from draftsmith.model.vocabulary import NODE_TYPES

_TELLING_TEXT = (
    # joining
    "and or but nor plus then so that which who whom whose where when while because since if unless until although "
    "though as in into inside on onto with without within to from for at by near between before after behind above "
    "below beneath beside next via through using against than except instead called named "
    # referring
    "it its itself this these those them they their there here something anything everything nothing everyone else me "
    "my our your we you i he she "
    # stating
    "is are was were be been being has have had does do did should must can could will would shall might not never "
    "please too also again twice once now immediately quickly somewhere maybe perhaps later "
    # commanding
    "add create insert put remove delete drop connect connects connected disconnect rename replace reverse ungroup "
    "move uses needs calls reads writes publishes subscribes talks"
)
TELLING: Final = frozenset(_TELLING_TEXT.split())
"""A name with one of these may be a name and more."""
_PLACING_TEXT = "of under over around across per"
PLACING: Final = frozenset(_PLACING_TEXT.split())
"""The same where the name of a node follows: "left of Orders", but not "Front of house"."""
ADDING: Final = frozenset(["and", "or", "but", "plus", "then", "&", "+", ",", ";"])
"""What stands between two sentences."""
SIGNS: Final = frozenset(["-", "–", "—", "&", "+", "/", "|", "="])
"""Signs that join where blanks are around them."""

_COUNTS_TEXT = (
    "two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 twenty=20 thirty=30 fifty=50 "
    "hundred=100 thousand=1000 dozen=12 couple=2 pair=2 both=2 some=2 several=2 few=2 many=2 multiple=2 "
    "various=2 numerous=2 more extra additional all every each any no half second third fourth fifth"
)
COUNTS: Final = {word.partition("=")[0]: int(word.partition("=")[2] or 0) for word in _COUNTS_TEXT.split()}
"""Words of quantity in front; 0 where they say no number."""
ORDINALS: Final = frozenset({"second", "third", "fourth", "fifth", "more", "extra", "additional"})
PLURALS: Final = frozenset(NODE_TYPES) - {"user", "client"}
"""Words that say in the plural that there are several; "users" and "clients" are usual names of one node."""

_DOCUMENT_TEXT = "section subsection chapter paragraph bullet heading headline sentence"
DOCUMENT_THINGS: Final = frozenset(_DOCUMENT_TEXT.split())
_CONNECTIONS_TEXT = "connection connections edge edges arrow arrows link links line lines"
CONNECTIONS: Final = frozenset(_CONNECTIONS_TEXT.split())
_OTHERS_TEXT = "label labels description text comment note image picture diagram type"
NO_NODES: Final = DOCUMENT_THINGS | CONNECTIONS | frozenset(_OTHERS_TEXT.split())
"""What can be added and is no node."""
