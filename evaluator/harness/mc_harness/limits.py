# Limits on plain data that both ends of a box's border keep. The supervisor reads this file too, so each is one line,
# a name and a whole number.

# Brackets within brackets. Each of them is up to three levels of JSON, and most readers of JSON stop at 128 of those.
MAX_DEPTH = 40

# Values within one value. One that is written in a few bytes may take many times as much to hold, so it is this that
# bounds what it costs.
MAX_ITEMS = 20_000_000

# Below it every whole number has an exact double, which is what many readers of JSON make of one.
SAFE_INT = 9_007_199_254_740_992
