/** Tests of the command as a person or a script meets it: arguments in; output, exit code out. */
@NullMarked
package org.murmur.cli;

import org.jspecify.annotations.NullMarked;
