/** A connection to one node, embedded or real, to measure its answers. */
@NullMarked
package org.murmur.lab.probe;

import org.jspecify.annotations.NullMarked;
