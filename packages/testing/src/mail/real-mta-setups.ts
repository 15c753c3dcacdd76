/** The ports on which a server listens and to which it sends, all on loopback. */
export interface MtaPorts {
  listen: number
  /** Accepts reports and all mail for `sender.test`. */
  sink: number
  /** Refuses mail for `away.test`, with a reply that depends on the recipient. */
  refusing: number
  /** Accepts only small messages: all mail for `big.test`. */
  small: number
  /** The address of a name server on port 53 without records. */
  dnsHost: string
}

export type MtaName = 'postfix' | 'exim' | 'opensmtpd'

export interface MtaSetup {
  command: string[]
  files: Record<string, string>
  /** Path, owner and mode. */
  folders: [string, string, number][]
  /** Files with another owner: path, owner and mode. */
  owned?: [string, string, number][]
  log: string
}

/** The servers send a delay warning two seconds after a temporary refusal, and give up after about ten seconds. */
export const mtaSetups: Record<MtaName, (ports: MtaPorts) => MtaSetup> = { postfix, exim, opensmtpd }

function postfix({ listen, sink, refusing, small }: MtaPorts): MtaSetup {
  const queue = [
    'active',
    'bounce',
    'corrupt',
    'defer',
    'deferred',
    'flush',
    'hold',
    'incoming',
    'private',
    'saved',
    'trace',
  ]
  // service type private unpriv chroot wakeup maxproc command
  const services = [
    `127.0.0.1:${listen} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    ...['bounce', 'defer', 'trace'].map((name) => `${name} unix - - n - 0 bounce`),
    'flush unix n - n 1000? 0 flush',
    ...['verify', 'proxymap', 'smtp', 'error', 'discard', 'anvil'].map((name) => `${name} unix - - n - - ${name}`),
    'retry unix - - n - - error',
    'local unix - n n - - local',
    'postlog unix-dgram n - n - 1 postlogd',
  ]
  return {
    command: ['/usr/lib/postfix/sbin/master', '-d', '-c', '/etc/postfix'],
    log: 'var/log/mail.log',
    folders: [
      ...queue.map((name): [string, string, number] => [`var/spool/postfix/${name}`, 'postfix:root', 0o700]),
      ['var/spool/postfix/pid', 'root', 0o755],
      ['var/spool/postfix/public', 'postfix:postdrop', 0o710],
      ['var/spool/postfix/maildrop', 'postfix:postdrop', 0o730],
      ['var/lib/postfix', 'postfix', 0o700],
      ['var/log', 'root', 0o755],
      ['var/mail', 'root:mail', 0o1777],
    ],
    owned: [['var/mail/ada', 'ada', 0o600]],
    files: {
      'etc/postfix/main.cf': [
        'compatibility_level = 3.6',
        'queue_directory = /var/spool/postfix',
        'command_directory = /usr/sbin',
        'daemon_directory = /usr/lib/postfix/sbin',
        'data_directory = /var/lib/postfix',
        'mail_owner = postfix',
        'setgid_group = postdrop',
        'maillog_file = /var/log/mail.log',
        'myhostname = mx.relay.test',
        'mydestination = local.test',
        'mynetworks = 127.0.0.0/8',
        'inet_protocols = ipv4',
        'inet_interfaces = 127.0.0.1',
        'transport_maps = texthash:/etc/postfix/transport',
        'alias_maps =',
        'local_recipient_maps =',
        'message_size_limit = 60000',
        'mailbox_size_limit = 60000',
        'smtpd_recipient_restrictions = permit_mynetworks, reject',
        'smtpd_relay_restrictions = permit_mynetworks, reject',
        'smtp_tls_security_level = none',
        'smtp_connection_cache_on_demand = no',
        'delay_warning_time = 2s',
        'queue_run_delay = 1s',
        'minimal_backoff_time = 1s',
        'maximal_backoff_time = 2s',
        'maximal_queue_lifetime = 10s',
        'bounce_queue_lifetime = 10s',
        '',
      ].join('\n'),
      'etc/postfix/transport': [
        `sender.test smtp:[127.0.0.1]:${sink}`,
        `away.test smtp:[127.0.0.1]:${refusing}`,
        `big.test smtp:[127.0.0.1]:${small}`,
        '',
      ].join('\n'),
      // The mailbox is nearly full, so the next message doesn't fit.
      'var/mail/ada': `From x Mon Mar  2 09:00:00 2026\nSubject: old\n\n${'x'.repeat(59)}\n`.padEnd(59_500, 'y\n'),
      'etc/postfix/master.cf': [...services, ''].join('\n'),
    },
  }
}

function exim({ listen, sink, refusing, small }: MtaPorts): MtaSetup {
  return {
    command: ['/usr/sbin/exim4', '-bdf', '-q1s', '-oX', String(listen)],
    log: 'var/log/exim4/mainlog',
    folders: [
      ['var/spool/exim4', 'Debian-exim', 0o750],
      ['var/log/exim4', 'Debian-exim', 0o750],
      ['var/mail', 'root:mail', 0o1777],
      ['run/exim4', 'Debian-exim', 0o755],
    ],
    files: {
      'etc/exim4/exim4.conf': [
        'primary_hostname = mx.relay.test',
        'local_interfaces = 127.0.0.1',
        'acl_smtp_rcpt = take',
        'acl_smtp_data = take',
        'host_lookup =',
        'rfc1413_query_timeout = 0s',
        'tls_advertise_hosts =',
        'delay_warning = 2s',
        'delay_warning_condition = yes',
        'keep_environment =',
        'queue_run_max = 3',
        'begin acl',
        'take:',
        '  accept',
        'begin routers',
        'routed:',
        '  driver = manualroute',
        '  transport = away',
        `  route_list = sender.test 127.0.0.1::${sink} ; away.test 127.0.0.1::${refusing} ; big.test 127.0.0.1::${small}`,
        '  self = send',
        '  no_more',
        '  domains = sender.test : away.test : big.test',
        'local:',
        '  driver = accept',
        '  domains = local.test',
        '  check_local_user',
        '  transport = mailbox',
        'others:',
        '  driver = dnslookup',
        '  domains = ! local.test',
        '  transport = away',
        '  no_more',
        'begin transports',
        'away:',
        '  driver = smtp',
        '  hosts_avoid_tls = *',
        'mailbox:',
        '  driver = appendfile',
        '  file = /var/mail/$local_part_data',
        '  user = ada',
        '  quota = 1K',
        'begin retry',
        '* * F,8s,1s',
        '',
      ].join('\n'),
    },
  }
}

function opensmtpd({ listen, sink, refusing, small }: MtaPorts): MtaSetup {
  const host = (port: number) => `relay host smtp://127.0.0.1:${port}`
  return {
    command: ['/usr/sbin/smtpd', '-d', '-f', '/etc/smtpd.conf'],
    log: 'var/log/none',
    folders: [
      ['var/spool/smtpd', 'root', 0o711],
      ['var/lib/opensmtpd/empty', 'root', 0o755],
      ['run/opensmtpd', 'root', 0o755],
    ],
    files: {
      'etc/mailname': 'mx.relay.test\n',
      'etc/smtpd.conf': [
        'queue ttl 8s',
        'bounce warn-interval 1s',
        `listen on 127.0.0.1 port ${listen} hostname mx.relay.test`,
        `action "sink" ${host(sink)}`,
        `action "away" ${host(refusing)}`,
        `action "big" ${host(small)}`,
        'action "mx" relay',
        'match from any for domain "sender.test" action "sink"',
        'match from any for domain "away.test" action "away"',
        'match from any for domain "big.test" action "big"',
        'match from any for any action "mx"',
        '',
      ].join('\n'),
    },
  }
}
