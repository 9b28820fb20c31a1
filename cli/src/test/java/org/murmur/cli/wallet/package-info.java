/** Tests of the commands of {@code org.murmur.cli.wallet}. */
@NullMarked
package org.murmur.cli.wallet;

import org.jspecify.annotations.NullMarked;
