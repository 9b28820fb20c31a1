/** Tests of the commands of {@code org.murmur.cli.labels}. */
@NullMarked
package org.murmur.cli.labels;

import org.jspecify.annotations.NullMarked;
