/** Tests of the commands of {@code org.murmur.cli.demo}. */
@NullMarked
package org.murmur.cli.demo;

import org.jspecify.annotations.NullMarked;
