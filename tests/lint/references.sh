#!/bin/sh
# Every pointer leads to something in this clone: documents and their headings, paths, promises and names of demands in
# comments; paths and names of functions in the documents. With files as arguments those are judged: the check's own test.
set -u
cd "$(dirname "$0")/../.." || exit 1
exec perl - "$@" <<'PERL'
use strict;
use warnings;

my @documents = qw(README.md src/README.md src/HACKING.md src/SECURITY.md src/CHANGELOG.md tests/README.md);
my @sources = split /\n/, qx(find src include tests .ci Makefile -type f \\( -name '*.[ch]' -o -name '*.def' -o -name '*.sh' -o -name Makefile -o -path '.ci/*' \\));
my $bad = 0;

sub slurp { my ($path) = @_; open my $in, '<', $path or return ''; local $/; my $text = <$in>; return $text }
sub fault { my ($where, $text) = @_; print "$where: $text\n"; $bad = 1 }

my %headings;
for my $path (@documents) {
    my $text = slurp($path);
    fault($path, 'is not there') unless length $text;
    $headings{$path} = [$text =~ /^#+ +(.+?) *$/mg];
}
# Rows of the tables of demands: `| K36 |`, `| variation A9 |`.
my %demands = map { $_ => 1 } slurp('tests/README.md') =~ /^\| ((?:variation )?[A-Z]\d+) \|/mg;
my ($promises) = slurp('src/README.md') =~ /^## Promises\n(.*?)^## /ms;
my %promises = map { $_ => 1 } ($promises // '') =~ /^(\d+)\. /mg;

# Patterns, and names in braces; a placeholder such as <layer> stands for anything.
sub is_there {
    my ($path) = @_;
    $path =~ s/<[^>]*>/*/g;
    $path =~ s/[.,:;]+$//;
    my @found = glob $path;
    return @found && !grep { !-e } @found;
}

sub check_demands {
    my ($where, $text) = @_;
    my $variation = 0;
    while ($text =~ /\G(?:.*?)(variations?\s+|(?<![\w\\+.#-])([A-GJKNPSTWX])(\d{1,3})(?!\w|\.\d))/gs) {
        if (!defined $2) { $variation = pos $text; next }
        my ($name, $group) = ("$2$3", $2);
        my $between = substr $text, $variation, pos($text) - length($name) - $variation;
        my $of = $variation && $between =~ /^(?:[A-G]\d+(?:, | and | to )?)*$/ ? 'variation ' : '';
        next if $name =~ /^C[0-3]$/ && !$of;                                     # sets of control characters, bytes
        next if $name =~ /^F\d+$/ && $where =~ m{^(?:src|include)/(?:ui|panes)/};     # function keys
        fault($where, "$of$name is no row of tests/README.md") unless $demands{"$of$name"};
    }
}

sub check_comment {
    my ($where, $text) = @_;
    $text =~ s/\n\s*(?:\*|#)?\s*/ /g;
    fault($where, "points at what no clone has: $1") if $text =~ /\b(DESIGN|STYLE\.md)\b/;
    fault($where, "points at what no clone has: $1") if $text =~ /([\w.-]+#\d+|\bbar \d+\b|\bof the issue\b|\bissue \d+)/i;
    while ($text =~ /\bpromises? (\d+)/gi) { fault($where, "there is no promise $1") unless $promises{$1} }
    while ($text =~ m{([\w./-]+\.md)\b(?:, "?([A-Z][^.:;)"]*))?}g) {
        my ($path, $rest) = ($1, $2);
        if (!-e $path) { fault($where, "$path is not there"); next }
        fault($where, "$path has no heading that begins \"$rest\"")
            if defined $rest && !grep { index($rest, $_) == 0 } @{ $headings{$path} // [] };
    }
    while ($text =~ m{(?<![\w/.<])((?:src|include|tests|themes)/[\w./*{},<>-]+)}g) {
        fault($where, "$1 is not there") unless is_there($1);
    }
    $text =~ s/"[^"]*"|`[^`]*`|'[^']*'//g;
    check_demands($where, $text);
}

sub check_source {
    my ($path) = @_;
    my $text = slurp($path);
    my $comment = $path =~ /\.(?:[ch]|def)$/ ? qr{"(?:[^"\\\n]|\\.)*"|(/\*.*?\*/|//[^\n]*)}s : qr{^[ \t]*(#[^\n]*)}m;
    while ($text =~ /$comment/g) {
        next unless defined $1;
        my ($what, $line) = ($1, 1 + (substr($text, 0, $-[1]) =~ tr/\n//));
        check_comment("$path:$line", $what);
    }
    while ($path =~ m{^tests/.*\.c$} && $text =~ /^static void (variation_)?((?:[a-z]\d{1,3}_)+(?:to_[a-z]\d+_)?)/mg) {
        my ($prefixed, $names) = (defined $1, uc $2);
        for my $name ($names =~ /[A-Z]\d+/g) {
            my $of = $name =~ /^[ABCEG]/ || ($prefixed && $name =~ /^[DF]/) ? 'variation ' : '';
            fault($path, "a test is named after $of$name, which is no row of tests/README.md") unless $demands{"$of$name"};
        }
    }
}

# What the documents of src name is there, not in a test alone.
my (%words, %words_of_src);
sub check_document {
    my ($path) = @_;
    if (!%words) {
        for my $source (@sources, glob 'src/cli/*.[15]') {
            my @all = slurp($source) =~ /\w+/g;
            $words{$_}++ for @all;
            next if $source =~ m{^tests/.*[ch]$};
            $words_of_src{$_}++ for @all;
        }
    }
    my $named = $path =~ m{^src/} ? \%words_of_src : \%words;
    my $line = 0;
    for my $text (split /\n/, slurp($path)) {
        $line++;
        while ($text =~ m{`(\w+)` (?:of|in) `([\w./]+\.[ch])`}g) {
            my ($name, $file) = ($1, $2);
            fault("$path:$line", "nothing in $file is called $name") unless slurp($file) =~ /\b$name\b/;
        }
        for my $quoted ($text =~ /`([^`]+)`/g) {
            while ($quoted =~ m{(?<![\w/.<~])((?:src|include|tests|themes|\.ci)/[\w./*{},<>-]+)}g) {
                fault("$path:$line", "$1 is not there") unless is_there($1);
            }
            my $rest = $quoted;
            $rest =~ s{[\w.~\$<>-]*/[\w./*{},<>-]*}{ }g;
            while ($rest =~ /(?<![\w<-])([A-Za-z][A-Za-z0-9]*_\w*[A-Za-z0-9])(?![\w>-])/g) {
                fault("$path:$line", "nothing is called $1") unless $named->{$1};
            }
        }
    }
}

if (@ARGV) { /\.md$/ ? check_document($_) : check_source($_) for @ARGV }
else { check_source($_) for @sources; check_document($_) for @documents }
print "references: each leads somewhere\n" unless $bad;
exit $bad;
PERL
