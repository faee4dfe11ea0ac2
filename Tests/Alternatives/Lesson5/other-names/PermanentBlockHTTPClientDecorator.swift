// The decorators have names and files of their own. Each request gets an object or a method that handles its result.

import Given

/// Returns a client that stops the requests of a permanently blocked account.
///
/// - Parameters:
///   - client: The client to forward requests to.
///   - blockList: The list of permanently blocked accounts.
func blocking(_ client: any HTTPClient, with blockList: any BlockList) -> any HTTPClient {
  BlockGate(client: client, list: blockList)
}
