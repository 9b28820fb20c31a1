/** What every filter family has in common: its contract, hashing, packed memory and theory. */
@NullMarked
package org.murmur.lab.families.filter;

import org.jspecify.annotations.NullMarked;
