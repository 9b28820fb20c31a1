/** Tests of the commands of {@code org.murmur.cli.sync}. */
@NullMarked
package org.murmur.cli.sync;

import org.jspecify.annotations.NullMarked;
