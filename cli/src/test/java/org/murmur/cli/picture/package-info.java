/** Tests of the page that draws a wallet. */
@NullMarked
package org.murmur.cli.picture;

import org.jspecify.annotations.NullMarked;
