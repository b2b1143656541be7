// What the program tells the page at its start: who is signed in, and how it is set up.
import type { components } from './generated/account';

export type Start = components['schemas']['Start'];
export type Brand = components['schemas']['Brand'];

function written(): Start {
  const text = document.getElementById('start')?.textContent;
  return text ? (JSON.parse(text) as Start) : nobody;
}

const nobody: Start = {
  account: null, brand: null, demo: false, mail: false, map: { kind: 'none' }, read_only: false, setup_required: false, signup: 'closed', version: '',
};

class Session {
  start = $state.raw<Start>(written());
  expired = $state(false); // the sign-in dialog is open over what was being done

  get account() {
    return this.start.account;
  }
}

export const session = new Session();
