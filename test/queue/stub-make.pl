#!/usr/bin/env perl
# Stands for a heavy command and checks, while it runs, what the queue promises: how many run at this moment
# (each known by pid and start time), and how many tickets in front of its own are still waiting or running.
use strict;
use warnings;

my ($world, $limit, $ms) = @ENV{qw(SIM_WORLD SIM_LIMIT SIM_MS)};
my $run = $ENV{PROCTOR_RUN_ID};

sub start_of {
  my ($pid) = @_;
  open(my $f, '<', "/proc/$pid/stat") or return '';
  my $line = <$f>;
  return '' unless defined $line && $line =~ /.*\) (.*)/s;
  my @field = split / /, $1;
  return $field[0] =~ /[ZX]/ ? '' : $field[19];
}

sub names {
  my ($dir) = @_;
  opendir(my $d, $dir) or return ();
  return grep { !/^\./ } readdir $d;
}

sub say_line {
  open(my $f, '>>', "$world/trace") or die "trace: $!";
  syswrite($f, join(' ', @_) . "\n");
}

my $me = "$world/active/$$." . start_of($$);
open(my $f, '>', $me) or die "active: $!";
close $f;

my $active = 0;
for (names("$world/active")) {
  my ($pid, $start) = /^(\d+)\.(\d+)$/ or next;
  if (start_of($pid) eq $start) { $active++ } else { unlink "$world/active/$_" }
}

my ($queue) = glob("$world/state/proctor/queue/*");
my %ticket = map { $_ => (readlink("$queue/$_") || '') } grep { /^\d+(?:-[\w-]+)?$/ } names($queue);
my ($name) = grep { $ticket{$_} =~ /:\Q$run\E:/ } keys %ticket;
my $mine = defined $name ? $name =~ /^(\d+)/ && $1 : undef;
# A place is one slot, whatever the number of tickets with it.
my %lower = defined $mine ? map { /^(\d+)/; $1 < $mine ? ($1 => $_) : () } keys %ticket : ();
if (keys %lower >= $limit) {
  # One that drew a number out of order takes it back within microseconds.
  select(undef, undef, undef, 0.1);
  for (keys %lower) { delete $lower{$_} unless grep { -l } glob("$queue/$_ $queue/$_-*") }
}
my @lower = keys %lower;
say_line('start', $run, $mine // '-', $active, scalar @lower);
select(undef, undef, undef, $ms / 1000);
unlink $me;
