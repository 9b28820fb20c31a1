/** The common parts of all filter families: contract, hashing, packed memory and theory. */
@NullMarked
package org.murmur.lab.families.filter;

import org.jspecify.annotations.NullMarked;
