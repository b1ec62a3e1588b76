/** The texts of the connection and of the order of the list. */
const lists = {
  connection: 'Connection',
  connected: 'Connected',
  noNetwork: 'No network',
  unreachable: 'The server does not answer',
  unreachableHint: 'Your network works, but the server is not reached. What is unsent is sent when it answers again.',
  connectionSince: 'Since',
  lastAnswer: 'Last answer of the server',
  connectionAsk: 'Check now',
  connectionAsking: 'Checking …',
  order: 'Order',
  orderOf: '{column}, ascending',
  orderOfDescending: '{column}, descending',
};

export default lists;
