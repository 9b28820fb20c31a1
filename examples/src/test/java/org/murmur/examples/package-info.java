/** Runs the examples against the embedded node. */
@NullMarked
package org.murmur.examples;

import org.jspecify.annotations.NullMarked;
