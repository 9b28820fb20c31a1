/** Tests of the commands of {@code org.murmur.cli.privacy}. */
@NullMarked
package org.murmur.cli.privacy;

import org.jspecify.annotations.NullMarked;
