/**
 * Hostile peers, each of which tells a lie, and a stage in virtual time on which a client meets
 * them: alone, together with honest peers, as a guard, compared with others, and while it follows.
 */
@NullMarked
package org.murmur.testbed.hostile;

import org.jspecify.annotations.NullMarked;
