"""Asks its terminal a list of queries, given as Python strings, waits for the answers, and prints them."""
import os, re, select, sys, termios, tty

fd = sys.stdin.fileno()
saved = termios.tcgetattr(fd)
tty.setraw(fd)
answers = []
try:
    for query in sys.argv[1:]:
        os.write(1, query.encode().decode("unicode_escape").encode("latin1"))
        got = b""
        # The answer to what comes last, the primary device attributes, ends each question.
        os.write(1, b"\x1b[c")
        while not re.search(rb"\x1b\[\?[\d;]+c$", got):
            if not select.select([fd], [], [], 10)[0]:
                got += b"<nothing>"
                break
            got += os.read(fd, 1)
        answers.append(got)
finally:
    termios.tcsetattr(fd, termios.TCSADRAIN, saved)
for answer in answers:
    print("\nanswer:", answer.decode("latin1").encode("unicode_escape").decode())
