/** Tests of the commands of {@code org.murmur.cli.payments}. */
@NullMarked
package org.murmur.cli.payments;

import org.jspecify.annotations.NullMarked;
