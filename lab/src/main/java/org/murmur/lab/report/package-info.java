/** All studies there are, and all of them on one page. */
@NullMarked
package org.murmur.lab.report;

import org.jspecify.annotations.NullMarked;
