/** The filter families, one class each. */
@NullMarked
package org.murmur.lab.families.kinds;

import org.jspecify.annotations.NullMarked;
