/** A wallet as one self-contained HTML page. */
@NullMarked
package org.murmur.cli.picture;

import org.jspecify.annotations.NullMarked;
