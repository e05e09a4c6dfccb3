#ifndef SUPPORT_GOLDEN_H
#define SUPPORT_GOLDEN_H
/* Compares a screen's text with tests/screen/golden/<name>.txt. With GOLDEN_WRITE=1 in the environment the file is
 * written anew instead; the diff is read like code. The folder of the tests is BURSAR_TESTS, or "tests" from where the
 * test runs. */

/* Fails the test on a difference: the lines that differ are printed, and what was drawn is kept as NAME.actual in
 * `kept` (a folder of the build; NULL: beside the test's executable). */
void golden_check(const char *name, const char *actual, const char *kept);

#endif
