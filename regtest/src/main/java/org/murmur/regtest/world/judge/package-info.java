/** The judge: the rules that must hold after every step of any world. */
@NullMarked
package org.murmur.regtest.world.judge;

import org.jspecify.annotations.NullMarked;
