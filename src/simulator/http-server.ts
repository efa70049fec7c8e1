/** The HTTP side: every request goes to the simulator, and its answer goes out as it is. */
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { type HttpBody, simulatorRequestOf } from './http-request.ts';
import { isLoopback } from './loopback.ts';
import type { SimulatorRequest, SimulatorResponse } from './simulator-request.ts';

const bodyBytesMax = 64 * 1024;

/**
 * Returns a server that is not listening yet. `answer` may throw; the connection is then cut
 * without an answer.
 */
export function createHttpServer(
  answer: (request: SimulatorRequest) => SimulatorResponse,
): FastifyInstance {
  const app = fastify({ bodyLimit: bodyBytesMax, forceCloseConnections: true, logger: false });
  app.removeAllContentTypeParsers();
  const parseAs = (kind: HttpBody['kind']) => (_: FastifyRequest, text: string | Buffer) =>
    Promise.resolve<HttpBody | undefined>(
      text.length === 0 ? undefined : { kind, text: String(text) },
    );
  const form = 'application/x-www-form-urlencoded';
  app.addContentTypeParser(form, { parseAs: 'string' }, parseAs('form'));
  app.addContentTypeParser('*', { parseAs: 'string' }, parseAs('other'));
  // No route is declared here: the simulator knows them, and what it does not know is a 404 of its
  // own.
  app.setNotFoundHandler((request, reply) => respond(request, reply, answer));
  app.setErrorHandler((error: { readonly statusCode?: number }, _, reply) =>
    reply
      .code(error.statusCode ?? 400)
      .type('text/plain')
      .send(''),
  );
  return app;
}

function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: (request: SimulatorRequest) => SimulatorResponse,
): FastifyReply {
  if (!isLoopback(request.raw)) return reply.code(403).type('text/plain').send('Forbidden\n');
  let response: SimulatorResponse;
  try {
    response = answer(
      simulatorRequestOf({
        method: request.method,
        url: request.raw.url ?? '/',
        authorization: request.headers.authorization,
        body: request.body as HttpBody | undefined,
      }),
    );
  } catch {
    reply.hijack();
    request.raw.socket.destroy();
    return reply;
  }
  return reply.code(response.status).headers(response.headers).send(response.body);
}
