/** Tests of the commands of {@code org.murmur.cli.lab}. */
@NullMarked
package org.murmur.cli.lab;

import org.jspecify.annotations.NullMarked;
