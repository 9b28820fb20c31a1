/** Models of clients: the filters they send over time. */
@NullMarked
package org.murmur.lab.privacy.clients;

import org.jspecify.annotations.NullMarked;
