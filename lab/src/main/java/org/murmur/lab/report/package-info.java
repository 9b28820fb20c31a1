/** All studies, and the report page with all of them. */
@NullMarked
package org.murmur.lab.report;

import org.jspecify.annotations.NullMarked;
