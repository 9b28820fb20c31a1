/** Tests of the commands of {@code org.murmur.cli.words}. */
@NullMarked
package org.murmur.cli.words;

import org.jspecify.annotations.NullMarked;
