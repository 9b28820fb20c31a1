/** The judge: the rules that must hold after every step of any world. */
@NullMarked
package org.murmur.testbed.world.judge;

import org.jspecify.annotations.NullMarked;
