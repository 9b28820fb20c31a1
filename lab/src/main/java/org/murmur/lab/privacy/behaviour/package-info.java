/** Running clients told apart by how they behave on a connection. */
@NullMarked
package org.murmur.lab.privacy.behaviour;

import org.jspecify.annotations.NullMarked;
