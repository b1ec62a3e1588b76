const draft = {
  unsentTitle: 'Sign out with unsaved work?',
  unsentLead: 'Not everything that you have written in this browser has reached the server. Signing out deletes it here.',
  unsentSignOut: 'Delete it and sign out',
  unsentStay: 'Stay signed in',
};

export default draft;
