/** Tests of the commands of {@code org.murmur.cli.terminal}. */
@NullMarked
package org.murmur.cli.terminal;

import org.jspecify.annotations.NullMarked;
