/**
 * What the documents and the facts say of each operation, written from them by hand: method, path,
 * permission (`-`: no key needed), and where the path is from. The declarations must agree.
 */
const written = `
ticker                GET    /api/1/ticker                        -                    document
tickers               GET    /api/1/tickers                       -                    document
orderBookTop          GET    /api/1/orderbook_top                 -                    document
orderBook             GET    /api/1/orderbook                     -                    document
trades                GET    /api/1/trades                        -                    document
candles               GET    /api/exchange/1/candles              MP_None              document
markets               GET    /api/exchange/1/markets              -                    facts
createAccount         POST   /api/1/accounts                      Perm_W_Addresses     document
renameAccount         PUT    /api/1/accounts/:id/name             Perm_W_Addresses     document
listPending           GET    /api/1/accounts/:id/pending          Perm_R_Transactions  document
transactions          GET    /api/1/accounts/:id/transactions     Perm_R_Transactions  document
balance               GET    /api/1/balance                       Perm_R_Balance       document
convert               POST   /api/exchange/1/convert              MP_Transfers         document
getMove               GET    /api/exchange/1/move                 MP_None              facts
createMove            POST   /api/exchange/1/move                 MP_None_Write        facts
listMoves             GET    /api/exchange/1/move/list_moves      MP_None              facts
listBeneficiaries     GET    /api/1/beneficiaries                 Perm_R_Beneficiaries document
createBeneficiary     POST   /api/1/beneficiaries                 Perm_W_Beneficiaries document
deleteBeneficiary     DELETE /api/1/beneficiaries/:id             Perm_W_Beneficiaries document
feeInfo               GET    /api/1/fee_info                      Perm_R_Orders        document
listOrders            GET    /api/1/listorders                    Perm_R_Orders        document
listtrades            GET    /api/1/listtrades                    Perm_R_Orders        document
marketorder           POST   /api/1/marketorder                   Perm_W_Orders        document
postorder             POST   /api/1/postorder                     Perm_W_Orders        document
stoporder             POST   /api/1/stoporder                     Perm_W_Orders        document
getOrder              GET    /api/1/orders/:id                    Perm_R_Orders        document
listOrdersV2          GET    /api/exchange/2/listorders           Perm_R_Orders        facts
getOrderV2            GET    /api/exchange/2/orders/:id           Perm_R_Orders        facts
getOrderV3            GET    /api/exchange/3/order                Perm_R_Orders        facts
getReceiveAddress     GET    /api/1/funding_address               Perm_R_Addresses     document
createReceiveAddress  POST   /api/1/funding_address               Perm_W_Addresses     document
validateAddress       POST   /api/1/address/validate              Perm_W_Send          document
send                  POST   /api/1/send                          Perm_W_Send          document
sendFee               GET    /api/1/send_fee                      MP_None              facts
sendNetworks          GET    /api/1/send/networks                 MP_None              document
listTransfers         GET    /api/exchange/1/transfers            Perm_R_Transfers     document
linkedUsers           GET    /api/1/users/linked                  MP_None              facts
listWithdrawals       GET    /api/1/withdrawals                   Perm_R_Withdrawals   document
createWithdrawal      POST   /api/1/withdrawals                   Perm_W_Withdrawals   document
getWithdrawal         GET    /api/1/withdrawals/:id               Perm_R_Withdrawals   document
cancelWithdrawal      DELETE /api/1/withdrawals/:id               Perm_W_Withdrawals   document
createQuote           POST   /api/1/quotes                        Perm_W_Orders        document
getQuote              GET    /api/1/quotes/:id                    Perm_R_Orders        document
exerciseQuote         PUT    /api/1/quotes/:id                    Perm_W_Orders        document
discardQuote          DELETE /api/1/quotes/:id                    Perm_W_Orders        document
grant                 POST   /api/oauth2/grant                    MP_None              document
`;

export type DocumentedOperation = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly permission: string;
  readonly source: string;
};

/** The operations of the exchange document. */
export const documentedOperations: readonly DocumentedOperation[] = written
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', method = '', path = '', permission = '', source = ''] = line.split(/ +/u);
    return { name, method, path, permission, source };
  });

/** Bits of the permissions, from the table of the exchange document. */
export const documentedBits: Readonly<Record<string, number>> = {
  Perm_R_Balance: 1,
  Perm_R_Transactions: 2,
  Perm_W_Send: 4,
  Perm_R_Addresses: 8,
  Perm_W_Addresses: 16,
  Perm_R_Orders: 32,
  Perm_W_Orders: 64,
  Perm_R_Withdrawals: 128,
  Perm_W_Withdrawals: 256,
  Perm_R_Merchant: 512,
  Perm_W_Merchant: 1024,
  Perm_W_ClientDebit: 8192,
  Perm_W_ClientCredit: 16384,
  Perm_R_Beneficiaries: 32768,
  Perm_W_Beneficiaries: 65536,
  Perm_R_Transfers: 131072,
};
