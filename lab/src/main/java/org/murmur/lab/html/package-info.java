/** Self-contained HTML pages: what all of them have in common. */
@NullMarked
package org.murmur.lab.html;

import org.jspecify.annotations.NullMarked;
