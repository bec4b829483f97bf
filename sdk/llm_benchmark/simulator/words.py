"""Made-up text of an exact length: each word is one o200k token, with or without a space before it."""

import zlib

_TEXT = (
    "the and that was for are with his they one have this from had but some what there can out other were "
    "all your when use word how said each she which their time will way about many then them would write "
    "like these her long make thing see him two has look more day could come did sound most number who over "
    "know water than call first people may down side been now find any new work part take get place made "
    "live where after back little only round man year came show every good give our under name very through "
    "just form sentence great think say help low line before turn cause much mean move right boy old too "
    "same tell does set three want air well also play small end put home read hand port large spell add even "
    "land here must big high such follow act why ask men change went light kind off need house picture try "
    "again animal point mother world near build self earth father"
)
WORDS = tuple(_TEXT.split())


def made_up(prompt: str, count: int) -> list[str]:
    """`count` pieces of one token each; the same prompt gives the same words."""
    start = zlib.crc32(prompt.encode())
    step = 1 + start % (len(WORDS) - 1)
    pieces = [f" {WORDS[(start + step * index) % len(WORDS)]}" for index in range(count)]
    if pieces:
        pieces[0] = pieces[0].lstrip()
    return pieces


def pieces_of(text: str) -> list[str]:
    """A settled answer in pieces as a stream would bring them: words with the space before them."""
    pieces: list[str] = []
    for word in text.split(" "):
        pieces.append(f" {word}" if pieces else word)
    return pieces
