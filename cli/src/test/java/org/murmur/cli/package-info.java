/** Tests of the command from outside: arguments in; output, exit code out. */
@NullMarked
package org.murmur.cli;

import org.jspecify.annotations.NullMarked;
