// What the program tells the page at its start: who is signed in, and how it is set up.
export interface Start {
  account: { account_id: string; email: string; plan: string; created_at: string } | null;
  setup_required: boolean;
  signup: 'closed' | 'invite' | 'open';
  demo: boolean;
  mail: boolean; // a forgotten password can be mailed
  map: { kind: 'style' | 'pmtiles' | 'none'; url?: string; dark_url?: string };
  brand: Brand | null;
  version: string;
}

export interface Brand {
  name: string;
  colour: string;
  logo_url: string;
}

function written(): Start {
  const text = document.getElementById('start')?.textContent;
  return text ? (JSON.parse(text) as Start) : nobody;
}

const nobody: Start = {
  account: null, brand: null, demo: false, mail: false, map: { kind: 'none' }, setup_required: false, signup: 'closed', version: '',
};

class Session {
  start = $state.raw<Start>(written());
  expired = $state(false); // the sign-in dialog is open over what was being done

  get account() {
    return this.start.account;
  }
}

export const session = new Session();
