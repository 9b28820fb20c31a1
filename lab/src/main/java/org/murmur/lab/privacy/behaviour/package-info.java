/** Experiments that identify running clients by their behaviour on a connection. */
@NullMarked
package org.murmur.lab.privacy.behaviour;

import org.jspecify.annotations.NullMarked;
