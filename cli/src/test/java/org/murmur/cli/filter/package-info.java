/** Tests of the commands of {@code org.murmur.cli.filter}. */
@NullMarked
package org.murmur.cli.filter;

import org.jspecify.annotations.NullMarked;
