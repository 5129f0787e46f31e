# The launcher: the process that waits for one command, and outlives whoever asked for it.
#
# It makes a real pipe, has the scribe (a child of its own) copy the pipe into the log, starts the command as
# the leader of a process group of its own, and writes what the kernel reports into the run's status
# file. It is a child subreaper where the system has one (prctl(2), PR_SET_CHILD_SUBREAPER), so every
# orphan of the command becomes its child: a run is over for it when the last process of the run has ended.
# Nobody signals it or the scribe. Its caller may die at any time.
#
# Where nothing is left of a run but the two, they wait for the next plan: a fork costs more than all the rest of a
# short run. Otherwise they leave.
#
# No module is loaded: each would cost more than the whole script.
#
# Usage: perl launcher.pl SOCKET CGROUP_FILE SYSTEM_CALLS, with a socket of the host's as fd 1.
#
# The process that is started so is the nursery: for each byte that comes in ("f" for a plan that waits, "s" for
# the next one) it forks one launcher, which costs a tenth of starting a perl, and leaves when the host does. The
# byte comes back when the fork failed, or the socket was not found. Each launcher connects to SOCKET, says
# "launcher", gets its plan (NUL-separated fields behind a decimal length and a newline), sends each
# line of the status file, and at last "ready" when it waits for another plan. CGROUP_FILE is the cgroup.procs of
# the session's control group, or "-": it still holds every process when a launcher was killed and the ancestry of
# what it started is gone.
# SYSTEM_CALLS are this machine's numbers, "prctl=157,setsid=112", as far as they are known.
#
# An interactive run gets a pseudo terminal instead of the pipe: the command leads a process session of its own
# that the terminal controls, and the scribe holds the other end of it. What is typed comes to the scribe through
# the FIFO "input" in frames that each fit into one atomic write(2) (PIPE_BUF): "d LENGTH\n" and the bytes,
# "s ROWS COLUMNS\n", or "a LENGTH BYTE\n" and the bytes: the terminal's answer to what the program has asked it up to that
# byte of the log. The scribe only tells the host that something was asked, once until it is answered. The file "sizes" tells from which byte of the log on the terminal had which size.
#
# EINTR is 4 on Linux and macOS; %! would load the Errno module.

my $darwin = $^O eq 'darwin';
my ($socket_path, $group, $numbers) = @ARGV;
my %sys = map { split /=/ } split /,/, $numbers;

# Caught, not ignored: a caught signal is back at its default in the command after exec.
$SIG{$_} = sub { } for qw(HUP INT QUIT TERM PIPE USR1 USR2 ALRM);
umask 077;
my $idle = 'proctor-nursery ' . ($socket_path =~ s{/[^/]*$}{}r);
$0 = $idle;

open(my $control, '+<&=', 1) or exit 70;

# What the host's own start leaked into us (descriptors without FD_CLOEXEC) must not reach a command.
if ($sys{close} && opendir(my $fds, '/proc/self/fd')) {
  my @open = grep { /^\d+$/ && $_ > 2 } readdir $fds;
  closedir $fds;
  syscall($sys{close} + 0, $_ + 0) for @open;
}
if ($group ne '-' && open(my $f, '>', $group)) { syswrite($f, '0'); close $f; }

# _exit(2): taking the interpreter apart costs more than what a short run does with it. Nothing is buffered.
sub leave {
  my ($status) = @_;
  syscall($sys{exit_group} + 0, $status + 0) if $sys{exit_group};
  exit $status;
}

# The start time of a process: what makes a pid an identity (proc(5), field 22 of stat).
sub start_of {
  my ($pid) = @_;
  open(my $f, '<', "/proc/$pid/stat") or return '-';
  my $line = <$f>;
  close $f;
  return '-' unless defined $line && $line =~ /.*\) (.*)/s;
  return (split / /, $1)[19];
}

sub connected {
  socket(my $s, 1, 1, 0) or return undef;    # AF_UNIX, SOCK_STREAM
  my $address = $darwin ? pack('C C a*', length($socket_path) + 2, 1, $socket_path) : pack('S a*', 1, $socket_path);
  connect($s, $address) or return undef;
  return $s;
}

# ioctl(2) requests of the two systems; the terminal's own name is where Linux has a number (pty(7), ptmx(4)).
my $set_size = $darwin ? 0x80087467 : 0x5414;
my $control_me = $darwin ? 0x20007461 : 0x540e;

# The connection of a launcher, the process that copies for it, and what the two talk through.
my ($host, $scribe, $scribe_start, $talk) = (undef, 0, '-', undef);
# Of the plan that is carried out: its directory, its place in the queue, its status file, what of it the host was
# not told yet, and the command.
my ($dir, $ticket, $subject, $held, $status, $untold, $tty_path, $command);

# Copies what comes into the log until its end. Leaves with the errno of a write that failed.
sub copy {
  my ($log_max, $out_r, $log, $rows, $input, $err_r, $err_log) = @_;
  # The kernel holds the cap, whatever this loop does. Ignored, the signal becomes EFBIG.
  $SIG{XFSZ} = 'IGNORE';
  my $limit = pack('Q2', $log_max, $log_max);
  if ($sys{getrlimit} && syscall($sys{getrlimit} + 0, 1, $limit) == 0) {
    my ($hard) = (unpack 'Q2', $limit)[1];
    $limit = pack('Q2', $log_max < $hard ? $log_max : $hard, $hard);    # the next log may be allowed more
  }
  if ($sys{setrlimit}) { syscall($sys{setrlimit} + 0, 1, $limit); }
  my $written = -s $log;
  my $err_written = $err_log ? -s $err_log : 0;
  my $out_ended = 0;
  my $ended = 0;
  my $drained = 0;
  my $is_orphan = 0;    # the launcher was killed
  my ($out_no, $end_no) = (fileno $out_r, fileno $talk);
  my $in_no = $rows ? fileno $input : -1;
  my $frames = '';     # what came through the FIFO and is not taken apart yet
  my $typed = '';      # what the terminal has yet to take
  # What a program asks its terminal (DSR, DA, XTVERSION, DECRQM, DECRQSS, OSC 10 to 12), and the beginning of it
  # that a read ended with. Unanswered from this byte of the log on (-1: nothing), to that one.
  my $query = qr/\e(?:Z|\[(?:\??[56]n|>?0*c|>0*q|\??\d{1,5}\$p|18t)|\]1[012];\?(?:\a|\e\\)|P\$q[^\e]{0,16}\e\\)/;
  my $begun = qr/\G\e(?:\[[?>]?\d{0,5}\$?|\][\d;]{0,3}\??\e?|P(?:\$(?:q[^\e]{0,16}\e?)?)?)?\z/;
  my @signs = ('5n', '6n', "\e[c", '0c', "\e[>", '$p', "\e]1", "\eP\$", "\eZ", '18t');    # a look for each costs a tenth of the pattern
  my $cut = '';
  my ($asked_from, $asked_to, $is_told) = (-1, 0, 0);
  # Nobody reads while we wait for room to write in, so the terminal must never block us (O_RDWR | O_NONBLOCK).
  fcntl($out_r, 4, 2 | ($darwin ? 4 : 2048)) if $rows;
  my $buffer = '';
  while (1) {
    my $wanted = '';
    vec($wanted, $out_no, 1) = 1 unless $out_ended;
    vec($wanted, fileno $err_r, 1) = 1 if $err_r;
    vec($wanted, $end_no, 1) = 1 unless $ended;
    my $room = undef;
    my $wait = undef;
    if ($rows && !$ended) {
      # No more is taken in than the terminal takes: whoever types waits, and nothing is held here.
      if ($typed eq '') { vec($wanted, $in_no, 1) = 1; }
      else { $room = ''; vec($room, $out_no, 1) = 1; $wait = 0.25; }    # a wake-up that was missed is made up for
    }
    if ($asked_from >= 0 && !$is_told && !$ended) {
      if (my $s = connected()) { $is_told = 1; syswrite($s, 'asked ' . ($dir =~ s{.*/}{}r) . " $asked_from\n"); close $s; }
      else { $wait = 0.25; }    # no host: the next one will answer
    }
    # Once the command has ended, a look that does not block tells that the pipe is empty.
    my $ready = select(my $is = $wanted, my $can = $room, undef, $ended && !$drained ? 0 : $wait);
    if ($ready < 0) { next if $! == 4; leave(5); }
    if (!$ended && vec($is, $end_no, 1)) {
      my $n = sysread($talk, my $word, 2);
      next if !defined $n && $! == 4;
      $ended = 1;
      $is_orphan = 1 if !$n;
    }
    if ($rows && !$ended) {
      if ($typed eq '' && vec($is, $in_no, 1)) { sysread($input, $frames, 65_536, length $frames); }
      while (1) {
        if ($typed eq '') {
          last unless $frames =~ /^([dsa]) (\d+)(?: (\d+))?\n/;
          my ($kind, $first, $second, $head) = ($1, $2, $3, $+[0]);
          if ($kind eq 's') {
            substr($frames, 0, $head) = '';
            ioctl($out_r, $set_size, pack('S4', $first, $second, 0, 0)) or next;
            if (open(my $f, '>>', "$dir/sizes")) { syswrite($f, "$written $first $second\n"); close $f; }
            next;
          }
          last if length($frames) < $head + $first;
          if ($kind eq 'a') {
            $is_told = 0;
            if ($second >= $asked_to) { $asked_from = -1; }
            elsif ($second > $asked_from) { $asked_from = $second; }
          }
          $typed = substr($frames, $head, $first);
          substr($frames, 0, $head + $first) = '';
          next if $typed eq '';
        }
        my $taken = syswrite($out_r, $typed);
        last unless $taken;
        substr($typed, 0, $taken) = '';
      }
    }
    if ($err_r && vec($is, fileno $err_r, 1)) {
      my $n = sysread($err_r, $buffer, 262_144);
      if (!defined $n) { next if $! == 4; leave(5); }
      if ($n == 0) { last if $out_ended; $err_r = undef; next; }
      for (my $at = 0; $at < $n;) {
        my $room = $log_max - $err_written;
        leave(27) if $room <= 0;
        my $done = syswrite($err_log, $buffer, $n - $at < $room ? $n - $at : $room, $at);
        if (!defined $done) { next if $! == 4; leave($! + 0); }
        $at += $done;
        $err_written += $done;
      }
      next;    # only when both are empty is the run drained
    }
    if (!vec($is, $out_no, 1)) {
      if ($ended && !$drained) {
        $drained = 1;
        close $input if $rows;    # whoever types from now on is told that nobody reads
        if (!$is_orphan) { syswrite($talk, 'd'); }
        else {
          record_alone("drained\n");
          if (my $s = connected()) { syswrite($s, 'drained ' . ($dir =~ s{.*/}{}r) . "\n"); close $s; }
        }
      }
      next;
    }
    my $n = sysread($out_r, $buffer, 262_144);
    # EIO is how Linux tells that nobody has the terminal open any more; EAGAIN (11, 35) that another look is due.
    if (!defined $n) { next if $! == 4 || $rows && ($! == 11 || $! == 35); last if $rows && $! == 5; leave(5); }
    if ($n == 0) { last if !$err_r; $out_ended = 1; next; }
    if ($rows && !$ended && ($cut ne '' || index($buffer, "\e") >= 0)) {
      my $text = $cut . substr($buffer, 0, $n);
      if (grep({ index($text, $_) >= 0 } @signs) && $text =~ $query) {
        $asked_from = $written - length($cut) + $-[0] if $asked_from < 0;
        $asked_to = $written + $n;
      }
      my $last = rindex($text, "\e");
      # The last one may be half of what ends a string that began before it.
      my $before = $last > 0 && $last == length($text) - 1 ? rindex($text, "\e", $last - 1) : -1;
      $cut = '';
      for my $at ($before, $last) {
        next if $at < 0 || $cut ne '';
        pos($text) = $at;
        $cut = substr($text, $at) if $text =~ /$begun/g;
      }
    }
    for (my $at = 0; $at < $n;) {
      my $room = $log_max - $written;
      leave(27) if $room <= 0;
      my $done = syswrite($log, $buffer, $n - $at < $room ? $n - $at : $room, $at);
      if (!defined $done) { next if $! == 4; leave($! + 0); }
      $at += $done;
      $written += $done;
    }
  }
}

# With the launcher killed nobody else writes into the status file.
sub record_alone {
  my ($line) = @_;
  open(my $file, '+<', "$dir/status") or return;
  sysread($file, my $text, 1024);
  my $end = index($text, "\0");
  sysseek($file, $end, 0) if $end >= 0;
  syswrite($file, $line);
}

# The scribe: copies one pipe after the other into logs, until its launcher closes the pair. The first job may come
# with the fork; with `$is_only` it is the last as well.
sub fork_scribe {
  my ($is_only, $job, @others) = @_;
  socketpair(my $ours, my $its, 1, 1, 0) or return 0;    # AF_UNIX, SOCK_STREAM
  my $launcher = $$;
  my $pid = fork();
  return 0 unless defined $pid;
  if ($pid) {
    ($scribe, $scribe_start, $talk) = ($pid, start_of($pid), $ours);
    close $its;
    return 1;
  }
  close $ours;
  $talk = $its;
  if ($job) {
    close $_ for grep { $_ } $host, @others;    # the end of the connection tells the host of the launcher's
    copy(@$job);
    leave(0) if $is_only;
    close $_ for $$job[1], $$job[2], $status;
    syswrite($talk, 'x');
    $0 = $idle;
  } else {
    close $control;
    close STDOUT;
    open(STDOUT, '>', '/dev/null');
  }
  my $words = '';
  while (1) {
    my $end = index($words, "\0");
    if ($end < 0) {
      my $n = sysread($talk, $words, 4096, length $words);
      next if !defined $n && $! == 4;
      leave(0) if !$n;
      next;
    }
    my ($fd, $log_max, $next) = substr($words, 0, $end + 1, '') =~ /^(\d+) (\d+) (.*)\0/s or next;
    my ($out, $log);
    if (!sysopen($out, "/proc/$launcher/fd/$fd", 0) || !open($log, '>>', "$next/output.log")) {
      syswrite($talk, 'n');
      next;
    }
    syswrite($talk, 'o');
    $dir = $next;
    $0 = "proctor-launcher $dir";
    copy($log_max, $out, $log);
    syswrite($talk, 'x');
    $0 = $idle;
  }
}

# What the scribe answers; '' when it has ended, undef when nothing came in time.
sub answer {
  my ($seconds) = @_;
  while (1) {
    my $wanted = '';
    vec($wanted, fileno $talk, 1) = 1;
    my $ready = select($wanted, undef, undef, $seconds);
    next if $ready < 0 && $! == 4;
    return undef if $ready == 0;
    my $n = sysread($talk, my $letter, 1);
    next if !defined $n && $! == 4;
    return $n ? $letter : '';
  }
}

# A scribe that has nothing to copy any more, or a last time, leaves at the end of the pair.
sub dismiss_scribe {
  close $talk if $talk;
  undef $talk;
}

# One that has copied nothing must be gone before the host looks for members: it was not told of it.
sub end_idle_scribe {
  dismiss_scribe();
  kill 'KILL', $scribe;
  waitpid($scribe, 0);
  $scribe = 0;
}

# The nursery: launchers are reaped by the system, the end of the host is ours.
$SIG{CHLD} = 'IGNORE';
my $request;
while (1) {
  my $n = sysread($control, $request, 1);
  next if !defined $n && $! == 4;
  exit 0 if !$n;
  my $pid = fork();
  if (!defined $pid) { syswrite($control, 'failed ' . ($! + 0) . " $request\n"); next; }
  last if $pid == 0;
}
$SIG{CHLD} = 'DEFAULT';
# With a name in /proc a pipe can be handed on, and who is left can be counted (proc(5), children): needed to stay.
my $can_stay = $sys{exit_group} && -d '/proc/self/fd' && -r "/proc/$$/task/$$/children";
syscall($sys{setsid} + 0) if $sys{setsid};
# Who waits for a plan has its scribe wait as well.
fork_scribe(0) if $request eq 's' && $can_stay;

$host = connected();
if (!$host) {
  syswrite($control, 'failed ' . ($! + 0) . " $request\n");
  leave(70);
}
close $control;
close STDOUT;
open(STDOUT, '>', '/dev/null');
my $subreaper = 0;
if ($sys{prctl}) { $subreaper = 1 if syscall($sys{prctl} + 0, 36, 1, 0, 0, 0) == 0; }
my $start = start_of($$);

syswrite($host, "launcher\n");

sub read_exactly {
  my ($want) = @_;
  my $data = '';
  while (length($data) < $want) {
    my $n = sysread($host, $data, $want - length($data), length($data));
    next if !defined $n && $! == 4;
    leave(71) if !$n;    # the host has gone: nothing has been started
  }
  return $data;
}

sub read_plan {
  my $length = '';
  while (1) {
    my $c = read_exactly(1);
    last if $c eq "\n";
    $length .= $c;
  }
  return split /\0/, read_exactly($length), -1;
}

# The place in the queue is ours before anything is started: from now on it lasts as long as we do. Whoever
# removes a place whose host is dead makes this same name first, and then removes the place: of the two, one
# wins. Where no link can be made (a disk that fails), the place lasts as long as the host.
sub hold {
  return if $ticket eq '';
  $held = "$$:$subject:$start";
  if (symlink($held, "$ticket.held")) {
    return if has_place();
    unlink "$ticket.held";
  } elsif ($! != 17) {    # EEXIST
    return;
  }
  syswrite($host, "slot-lost\n");
  leave(74);
}

# Whether the ticket is there, and this run's.
sub has_place { return index(readlink($ticket) || '', ":$subject:") >= 0 }

sub let_go {
  return if $ticket eq '' || (readlink("$ticket.held") || '') ne $held;
  unlink $ticket, "$ticket.kept", "$ticket.held", "$ticket.command";
}

# The host frees the place when the run has ended. Without one we do, though what the command left behind
# lives on: late enough for the next host to have stopped what it was asked to stop.
# Done by the handler: perl begins waitpid(2) again when a signal cut it short.
$SIG{ALRM} = sub { local $!; let_go(); };

# Into blocks that were allocated before: works on a full disk.
sub record {
  my ($lines) = @_;
  syswrite($status, $lines);
  $untold .= $lines;
}

# Tells the host what is on record. Not true when the host is gone: the file has it.
sub tell_host {
  my $lines = $untold;
  $untold = '';
  return defined syswrite($host, $lines);
}

sub give_up {
  my ($stage, $errno) = @_;
  record("failed $stage $errno\ndone\n");
  tell_host();
  let_go();
  leave(0);
}

sub now_ms {
  if ($sys{clock_gettime}) {
    my $buffer = "\0" x 16;
    if (syscall($sys{clock_gettime} + 0, 0, $buffer) == 0) {
      my ($s, $ns) = unpack 'q2', $buffer;
      return $s * 1000 + int($ns / 1_000_000);
    }
  }
  return time() * 1000;
}

# Both ends of a new terminal and the path of the command's; the descriptors are closed in whatever is exec'd.
sub open_terminal {
  my ($rows, $columns) = @_;
  sysopen(my $master, '/dev/ptmx', 2 | ($darwin ? 0x20000 : 0400)) or return;    # O_RDWR, O_NOCTTY
  my $path;
  if ($darwin) {
    ioctl($master, 0x20007454, 0) or return;    # TIOCPTYGRANT
    ioctl($master, 0x20007452, 0) or return;    # TIOCPTYUNLK
    my $name = "\0" x 128;
    ioctl($master, 0x40807453, $name) or return;    # TIOCPTYGNAME
    $path = $name =~ s/\0.*//sr;
  } else {
    my $number = pack('i', 0);
    ioctl($master, 0x40045431, $number) or return;    # TIOCSPTLCK: 0 unlocks
    ioctl($master, 0x80045430, $number) or return;    # TIOCGPTN
    $path = '/dev/pts/' . unpack('i', $number);
  }
  sysopen(my $slave, $path, 2 | ($darwin ? 0x20000 : 0400)) or return;
  ioctl($master, $set_size, pack('S4', $rows, $columns, 0, 0)) or return;
  # Erasing a character takes all its bytes (termios(3), IUTF8); a kernel that has it not erases bytes.
  my $modes = "\0" x 64;
  if (!$darwin && ioctl($slave, 0x5401, $modes)) {
    substr($modes, 0, 4) = pack('L', unpack('L', $modes) | 0x4000);
    ioctl($slave, 0x5402, $modes);
  }
  return ($master, $slave, $path);
}

sub make_fifo {
  my ($path) = @_;
  return 1 if $sys{mknodat} && syscall($sys{mknodat} + 0, -100, $path, 0010600, 0) == 0;    # AT_FDCWD, S_IFIFO
  return system({ 'mkfifo' } 'mkfifo', '-m', '600', $path) == 0;
}

sub record_command {
  record("terminal $tty_path\n") if $tty_path;
  record("scribe $scribe $scribe_start\ncommand $command " . start_of($command) . ' ' . now_ms() . "\n");
  tell_host();
}

# Carries one plan out. Returns when its last process has ended; true when we are as we were before it.
sub carry_out {
  my @field = @_;
  my $many = sub { my $n = shift @field; return splice @field, 0, $n; };
  my ($cwd, $umask, $stdin, $log_max, $rows, $columns, $output);
  # `$rows` of 0: no terminal. `$ticket`: the run's place in the queue of heavy commands; '' when it has none.
  # `$output`: "merged", both streams through one pipe into output.log; "files", the command writes output.log and
  # stderr.log itself, for programs that leave without draining a pipe; "scribed", two pipes into the two
  # files, for a command under RLIMIT_FSIZE, which would hit its own log.
  ($dir, $cwd, $umask, $stdin, $log_max, $rows, $columns, $ticket, $subject, $output) = splice @field, 0, 10;
  my @rlimit = $many->();   # "RESOURCE SOFT HARD"
  my @cgroup = $many->();   # files to write "0" to
  my @argv = $many->();
  my @env = $many->();

  $0 = "proctor-launcher $dir";
  ($untold, $tty_path) = ('', undef);
  hold();

  # Whoever renames the reserved status file owns the run: a host that gives a start up renames it first.
  rename("$dir/status.reserved", "$dir/status") or do { let_go(); leave(72); };
  open($status, '+<', "$dir/status") or leave(73);
  record("launcher $$ $start $subreaper\n");

  my ($out_r, $out_w, $input);
  if ($rows) {
    # The scribe reads the master; our own end of the slave keeps it from seeing an end before the command's.
    ($out_r, $out_w, $tty_path) = open_terminal($rows, $columns) or give_up('terminal', $! + 0);
    make_fifo("$dir/input") or give_up('terminal', $! + 0);
    sysopen($input, "$dir/input", 2 | ($darwin ? 4 : 2048)) or give_up('terminal', $! + 0);    # O_RDWR: it never ends; O_NONBLOCK
    if (open(my $f, '>', "$dir/sizes")) { syswrite($f, "0 $rows $columns\n"); close $f; }
  } else {
    pipe($out_r, $out_w) or give_up('pipe', $! + 0);
  }
  # A larger pipe saves wake-ups; where the system refuses, the usual 64 KiB do as well.
  fcntl($out_r, 1031, 262_144) unless $darwin || $rows;

  open(my $log, '>>', "$dir/output.log") or give_up('log', $! + 0);
  my ($err_log, $err_r, $err_w);
  if ($output ne 'merged') { open($err_log, '>>', "$dir/stderr.log") or give_up('log', $! + 0); }
  if ($output eq 'scribed') { pipe($err_r, $err_w) or give_up('pipe', $! + 0); }

  # A scribe that waits opens the pipe while the command is forked. It has a single pipe to copy, or leaves.
  my $is_plain = !$rows && $output eq 'merged';
  if ($scribe) {
    if ($is_plain) { syswrite($talk, fileno($out_r) . " $log_max $dir\0"); }
    else { end_idle_scribe(); }
  }

  # The command before the scribe, where that is yet to be forked: it starts up meanwhile; what it prints waits in the pipe.
  pipe(my $fail_r, my $fail_w) or give_up('pipe', $! + 0);
  # For execve(2), laid out before the fork: what a child writes to is copied first.
  my $is_path = $sys{execve} && $argv[0] =~ m{^/};
  my ($argv_list, $env_list) = $is_path ? (pack('p*', @argv, undef), pack('p*', @env, undef)) : ();
  $command = fork();
  give_up('fork', $! + 0) unless defined $command;
  if ($command == 0) {
    $SIG{$_} = 'DEFAULT' for qw(HUP INT QUIT TERM PIPE USR1 USR2 ALRM);    # what follows may last, and must end when told to
    my $fail = sub { syswrite($fail_w, "$_[0] " . ($! + 0)); leave(127); };
    setpgrp(0, 0) unless $rows;
    # The place lasts as long as this process, though everybody who looks after it be killed.
    if ($ticket ne '') {
      if (symlink("$$:$subject:" . start_of($$), "$ticket.command")) {
        if (!has_place()) { unlink "$ticket.command"; leave(127); }
      } elsif ($! == 17) {    # EEXIST
        leave(127);
      }
    }
    # Every process of a run is born inside its group of the kernel's: joined before anything else happens.
    for my $file (@cgroup) {
      open(my $f, '>', $file) or $fail->('cgroup');
      defined(syswrite($f, '0')) or $fail->('cgroup');
      close $f;
    }
    if ($rows) {
      if ($sys{setsid}) { syscall($sys{setsid} + 0) >= 0 or $fail->('terminal'); }
      else { require POSIX; POSIX::setsid() >= 0 or $fail->('terminal'); }
      sysopen($out_w, $tty_path, 2) or $fail->('terminal');
      ioctl($out_w, $control_me, 0) or $fail->('terminal');
    }
    if ($rows && $stdin eq '/dev/null') { open(STDIN, '<&', $out_w) or $fail->('stdin'); }
    else { open(STDIN, '<', $stdin) or $fail->('stdin'); }
    open(STDOUT, '>&', $output eq 'files' ? $log : $out_w) or $fail->('stdout');
    open(STDERR, '>&', $output eq 'files' ? $err_log : $err_w || $out_w) or $fail->('stderr');
    chdir($cwd) or $fail->('chdir');
    umask oct $umask;
    for my $limit (@rlimit) {
      my ($resource, $soft, $hard) = split / /, $limit;
      syscall($sys{setrlimit} + 0, $resource + 0, pack('Q2', $soft, $hard)) == 0 or $fail->('rlimit');
    }
    # Only a success does not come back. A failure is tried again by perl, which asks a shell to read what has no format.
    syscall($sys{execve} + 0, $argv[0], $argv_list, $env_list) if $is_path;
    %ENV = ();
    for (@env) { my ($k, $v) = split /=/, $_, 2; $ENV{$k} = $v; }
    exec { $argv[0] } @argv;
    $fail->('exec');
  }
  # Where the command writes its files itself there is nothing to copy, and no scribe.
  end_idle_scribe() if $scribe && answer(undef) ne 'o';
  if (!$scribe && $output ne 'files') {
    my $job = [$log_max, $out_r, $log, $rows, $input, $err_r, $err_log];
    if (!fork_scribe(!($is_plain && $can_stay), $job, $out_w, $err_w, $fail_r, $fail_w)) {
      my $errno = $! + 0;
      kill 'KILL', $command;
      waitpid($command, 0);
      give_up('fork', $errno);
    }
  }
  close $out_r;
  setpgrp($command, $command) unless $rows;
  close $fail_w;
  if ($rows) { close $input; } else { close $out_w; }
  close $err_r if $err_r;
  close $err_w if $err_w;

  my $failed = '';
  my $is_known = 0;
  while (1) {
    # A FIFO that nobody writes to, a file system that does not answer: opening them lasts. By then the host must know
    # whom to stop.
    my $wanted = '';
    vec($wanted, fileno $fail_r, 1) = 1;
    my $ready = select($wanted, undef, undef, $is_known ? undef : 0.25);
    next if $ready < 0 && $! == 4;
    if ($ready == 0) { $is_known = 1; record_command(); next; }
    my $n = sysread($fail_r, $failed, 64, length $failed);
    next if !defined $n && $! == 4;
    last if !$n;
  }
  close $fail_r;
  if ($failed ne '') {
    waitpid($command, 0);
    close $out_w if $rows;
    dismiss_scribe();
    waitpid($scribe, 0) if $scribe;
    give_up(split(/ /, $failed));
  }
  record_command() unless $is_known;

  while (1) {
    my $pid = waitpid(-1, 0);
    if ($pid == -1) { next if $! == 4; last; }
    if ($pid == $scribe) {
      record('scribe-exit ' . ($? >> 8) . ' ' . ($? & 127) . "\n");
      tell_host();
      dismiss_scribe();
      $scribe = 0;
      next;
    }
    next if $pid != $command;
    $command = 0;
    my $core = $? & 128 ? 1 : 0;
    record('exit ' . ($? >> 8) . ' ' . ($? & 127) . " $core " . now_ms() . "\n");
    close $out_w if $rows;
    if (!$scribe) {
      record("drained\nscribe-exit 0 0\n") if $output eq 'files';
      alarm 10 if !tell_host() && $ticket ne '';
      next;
    }
    # What is in the pipe is in the log in a moment; a host that waits is told both at once.
    syswrite($talk, "e\0");
    my $letter = answer(0.02);
    if (!defined $letter) {
      alarm 10 if !tell_host() && $ticket ne '';
      $letter = answer(undef);
    }
    record("drained\n") if $letter ne '';
    if ($letter eq 'x') {
      record("scribe-exit 0 0\n");
      1 while waitpid(-1, 1) > 0;    # WNOHANG
      if (only_scribe_left()) {
        record("done\n");
        $untold .= "ready\n" if $ticket eq '';
        my $is_heard = tell_host();
        let_go();
        return $is_heard && $ticket eq '';
      }
      $scribe = 0;
    }
    alarm 10 if !tell_host() && $ticket ne '';
    dismiss_scribe();
  }
  record("done\n");
  tell_host();
  let_go();
  return 0;
}

# Whether the scribe is the only child that we have (proc(5), children).
sub only_scribe_left {
  open(my $f, '<', "/proc/$$/task/$$/children") or return 0;
  my $children = <$f>;
  return defined $children && $children eq "$scribe ";
}

1 while carry_out(read_plan()) && ($0 = $idle);
leave(0);
