/** A survey of a network's nodes: who can be reached, what they say of themselves, and serve. */
@NullMarked
package org.murmur.lab.network;

import org.jspecify.annotations.NullMarked;
